alter table products add foreign key (country_code) references countries;
alter table customers add foreign key (tenant_id) references tenants;
alter table orders add foreign key (tenant_id, customer_id) references customers (tenant_id, id);
alter table orders add foreign key (product_id) references products;
alter table items add foreign key (tenant_id, order_id) references orders (tenant_id, id);
