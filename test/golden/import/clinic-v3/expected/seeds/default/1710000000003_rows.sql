insert into ward values (1, 'East', 'Oslo'), (2, 'West', 'Bergen');
insert into patient (id, name, allergies, ward_id) values (1, 'Ada', '{nuts,pollen}', 1), (2, 'Bo', '{}', 2);
insert into visit (id, patient_id, urgency, note, nurse) values
  (1, 1, 'low', 'hers', '00000000-0000-4000-8000-000000000001'),
  (2, 1, 'low', 'of another', '00000000-0000-4000-8000-000000000002'),
  (3, 2, 'high', 'everybody''s', null);
select setval('visit_id_seq', 3);
