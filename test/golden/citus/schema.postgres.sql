create table tenants (id int primary key, name text not null);
create table countries (code text primary key, name text not null);
create table products (id int primary key, name text not null, country_code text);
create table customers (tenant_id int not null, id int not null, name text not null, country_code text, primary key (tenant_id, id));
create table orders (tenant_id int not null, id int not null, customer_id int, product_id int, amount numeric not null default 0, note text, primary key (tenant_id, id));
create table items (tenant_id int not null, order_id int not null, n int not null, product_id int, quantity int not null default 1, primary key (tenant_id, order_id, n));
create table visits (id int primary key, customer_id int, page text not null);
create table notes (id int primary key, product_id int, text text not null);
