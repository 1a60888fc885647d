INSERT INTO auth.users (id, display_name) VALUES ('00000000-0000-4000-8000-000000000001', 'Ann');
