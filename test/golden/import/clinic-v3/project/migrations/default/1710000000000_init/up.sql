create table public.ward (id integer primary key, name text not null, city text not null);
create table public.urgency (value text primary key, comment text);
insert into urgency values ('low', 'can wait'), ('high', null);
create table public.patient (
  id serial primary key,
  key uuid not null default hdb_catalog.gen_hasura_uuid(),
  name text not null,
  allergies text[] not null default '{}',
  ward_id integer not null references ward
);
create unique index patient_key on patient (key);
create table public.visit (
  id serial primary key,
  patient_id integer not null references patient on delete cascade,
  urgency text not null references urgency default 'low',
  note text,
  nurse uuid,
  at timestamptz not null default '2024-03-09 12:00:00+00'
);
create function patient_label(patient_row patient) returns text language sql stable as $$
  select patient_row.name || ' (' || ward.name || ')' from ward where ward.id = patient_row.ward_id
$$;
create function patient_seen_by(patient_row patient, hasura_session json) returns boolean language sql stable as $$
  select exists (
    select from visit where patient_id = patient_row.id and nurse::text = hasura_session ->> 'x-hasura-user-id')
$$;
create function patients_named(names text[]) returns setof patient language sql stable as $$
  select * from patient where name = any(names)
$$;
create function my_visits(hasura_session json) returns setof visit language sql stable as $$
  select * from visit where nurse::text = hasura_session ->> 'x-hasura-user-id'
$$;
