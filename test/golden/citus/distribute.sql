select create_reference_table('countries');
select create_reference_table('products');
select create_distributed_table('tenants', 'id');
select create_distributed_table('customers', 'tenant_id', colocate_with => 'tenants');
select create_distributed_table('orders', 'tenant_id', colocate_with => 'tenants');
select create_distributed_table('items', 'tenant_id', colocate_with => 'tenants');
select create_distributed_table('visits', 'id', colocate_with => 'none');
