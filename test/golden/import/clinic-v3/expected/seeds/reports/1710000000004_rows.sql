insert into occupancy values ('2024-03-09', 1, 7), ('2024-03-09', 2, 4);
