create table dbo.invoice (
  id int not null,
  branch nvarchar(20) not null,
  total decimal(10, 2) not null,
  note nvarchar(200),
  details xml,
  place hierarchyid,
  constraint invoice_pkey primary key (id, branch)
);
create table dbo.keyless (
  id int,
  name nvarchar(20)
);
create table dbo.spot (
  id int not null,
  at geography,
  constraint spot_pkey primary key (id)
);
create table dbo.old (
  id int not null,
  body text,
  constraint old_pkey primary key (id)
);
