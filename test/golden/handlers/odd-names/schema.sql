create table "großer Auftrag" (
  "größe" int primary key,
  "日本" text,
  "with ""quotes"" and `ticks`" text,
  "constructor" text not null,
  "class" boolean,
  "2nd" int,
  "white space" jsonb not null
);
