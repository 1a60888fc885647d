insert into countries values ('de', 'Germany'), ('fr', 'France');
insert into products values (1, 'axe', 'de'), (2, 'box', 'fr'), (3, 'cup', 'de');
insert into tenants values (1, 'one'), (2, 'two');
insert into customers values (1, 1, 'Ada', 'de'), (1, 2, 'Bob', 'fr'), (2, 1, 'Eve', 'de');
insert into orders values (1, 1, 1, 1, 10, 'first'), (1, 2, 1, 2, 20, null), (1, 3, 2, 3, 30, null), (2, 1, 1, 1, 40, null);
insert into items values (1, 1, 1, 1, 2), (1, 1, 2, 2, 1), (1, 2, 1, 3, 5), (2, 1, 1, 1, 7);
insert into visits values (1, 1, 'home'), (2, 1, 'shop'), (3, 2, 'home');
insert into notes values (1, 1, 'sharp'), (2, 1, 'heavy'), (3, 3, 'blue');
