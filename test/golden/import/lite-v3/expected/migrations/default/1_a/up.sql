create table t0(id uuid primary key default gen_random_uuid(), o text);
create table t1(id uuid primary key default gen_random_uuid(), o text);
create table t2(id uuid primary key default gen_random_uuid(), o text);
create table t3(id uuid primary key default gen_random_uuid(), o text);
create table t4(id uuid primary key default gen_random_uuid(), o text);
create table t5(id uuid primary key default gen_random_uuid(), o text);
create table z(id uuid default public.gen_random_uuid());
create function f(s json) returns text language sql as $$ select s->>'x-engine-user-id' $$;
