/**
 * Compares forms in which a statement of PostgreSQL builds JSON. Input: the URL of a database, in which a schema
 * `json_forms` is created and dropped, and optionally a factor for the size of its tables, which resemble Chinook.
 * Output: the minimum and the median time of each form in microseconds, and their ratios to those of the engine's form,
 * which is the first. `node --import tsx test/bench/json-forms.ts URL [FACTOR]`
 */
import pg from "pg";

const rounds = 200;
const [url, factor = "1"] = process.argv.slice(2);

const setup = (times: number): string => `
  drop schema if exists json_forms cascade;
  create schema json_forms;
  set search_path to json_forms;
  create table media (id integer primary key, name text not null);
  create table artist (id integer primary key, name text);
  create table album (id integer primary key, title text not null, artist_id integer not null references artist);
  create table track (id integer primary key, name text not null, album_id integer references album,
    media_id integer not null references media, milliseconds integer not null, bytes integer, added date not null,
    is_live boolean not null);
  create table playlist_track (playlist_id integer, track_id integer references track,
    primary key (playlist_id, track_id));
  insert into media select i, 'Media type ' || i from generate_series(1, 5) i;
  insert into artist select i, 'Artist "' || i || '"' from generate_series(1, ${275 * times}) i;
  insert into album select i, 'Album é ' || i, 1 + i % ${275 * times} from generate_series(1, ${347 * times}) i;
  insert into track select i, 'A track with the number ' || i, 1 + i % ${347 * times}, 1 + i % 5, 200000 + i % 90000,
    case when i % 10 > 0 then 5000000 + i end, date '2020-01-01' + i % 1000, i % 2 = 0
    from generate_series(1, ${3503 * times}) i;
  insert into playlist_track select 1 + i % ${18 * times}, 1 + i % ${3503 * times}
    from generate_series(1, ${8715 * times}) i on conflict do nothing;
  create index on album (artist_id);
  create index on track (album_id);
  analyze`;

/** Text of a JSON object, of names and the SQL texts of their values. */
const object = (members: Readonly<Record<string, string>>): string =>
  `'{${Object.entries(members)
    .map(([name, text], i) => `${i === 0 ? "" : ","}"${name}":' || ${text} || '`)
    .join("")}}'`;
const listOf = (text: string): string => `coalesce('[' || string_agg(${text}, ',') || ']', '[]')`;
const quoted = (text: string): string => `to_json(${text})::text`;
const orNull = (text: string): string => `coalesce(${text}, 'null')`;

/** Columns whose text needs no escaping. */
const tracks = "from track t where t.id between 1 and 1000 order by t.id";
const simple = {
  "json_agg of records": `select (select coalesce(json_agg(r.*), '[]') from (select t.id as "id",
    t.album_id as "album_id", t.milliseconds as "milliseconds", t.bytes as "bytes", t.added as "added",
    t.is_live as "is_live" ${tracks}) r)::text`,
  json_build_object: `select (select coalesce(json_agg(x.r), '[]') from (select json_build_object('id', t.id, 'album_id',
    t.album_id, 'milliseconds', t.milliseconds, 'bytes', t.bytes, 'added', t.added, 'is_live', t.is_live) as r
    ${tracks}) x)::text`,
  "string_agg of concatenated texts": `select ${listOf("x.r")} from (select ${object({
    id: "t.id",
    album_id: orNull("t.album_id::text"),
    milliseconds: "t.milliseconds",
    bytes: orNull("t.bytes::text"),
    added: `'"' || t.added || '"'`,
    is_live: "t.is_live",
  })} as r ${tracks}) x`,
  "string_agg of format": `select ${listOf("x.r")} from (select format('{"id":%s,"album_id":%s,"milliseconds":%s,'
    '"bytes":%s,"added":"%s","is_live":%s}', t.id, coalesce(t.album_id::text, 'null'), t.milliseconds,
    coalesce(t.bytes::text, 'null'), t.added, t.is_live::text) as r ${tracks}) x`,
  "string_agg of row_to_json": `select ${listOf("row_to_json(r.*)::text")} from (select t.id as "id",
    t.album_id as "album_id", t.milliseconds as "milliseconds", t.bytes as "bytes", t.added as "added",
    t.is_live as "is_live" ${tracks}) r`,
};

const texts = {
  "json_agg of records": `select (select coalesce(json_agg(r.*), '[]') from (select t.id as "id", t.name as "name",
    t.milliseconds as "milliseconds" ${tracks}) r)::text`,
  json_build_object: `select (select coalesce(json_agg(x.r), '[]') from (select json_build_object('id', t.id,
    'name', t.name, 'milliseconds', t.milliseconds) as r ${tracks}) x)::text`,
  "string_agg of concatenated texts": `select ${listOf("x.r")} from (select ${object({
    id: "t.id",
    name: quoted("t.name"),
    milliseconds: "t.milliseconds",
  })} as r ${tracks}) x`,
};

/** Lists in lists, by primary and foreign keys. */
const artists = "from artist a where a.id between 1 and 50 order by a.id";
const lists = {
  "json_agg of records, a subselect for each list": `select (select coalesce(json_agg(r.*), '[]') from (
    select a.name as "name", (select coalesce(json_agg(r.*), '[]') from (select b.title as "title",
      (select coalesce(json_agg(r.*), '[]') from (select t.id as "id", t.name as "name", t.milliseconds as "milliseconds"
        from track t where t.album_id = b.id order by t.id) r) as "tracks"
      from album b where b.artist_id = a.id order by b.id) r) as "albums" ${artists}) r)::text`,
  "json_agg of records, a lateral join for each list": `select (select coalesce(json_agg(r.*), '[]') from (
    select a.name as "name", b.rows as "albums" from artist a cross join lateral (
      select coalesce(json_agg(r.*), '[]') as rows from (select b.title as "title", t.rows as "tracks" from album b
        cross join lateral (select coalesce(json_agg(r.*), '[]') as rows from (select t.id as "id", t.name as "name",
          t.milliseconds as "milliseconds" from track t where t.album_id = b.id order by t.id) r) t
        where b.artist_id = a.id order by b.id) r) b
    where a.id between 1 and 50 order by a.id) r)::text`,
  "json_agg of records, a grouped join for each list": `select (select coalesce(json_agg(r.*), '[]') from (
    select a.name as "name", coalesce(b.rows, '[]') as "albums" from artist a left join (
      select b.artist_id, json_agg(json_build_object('title', b.title, 'tracks', coalesce(t.rows, '[]')) order by b.id)
        as rows from album b left join (
          select t.album_id, json_agg(json_build_object('id', t.id, 'name', t.name, 'milliseconds', t.milliseconds)
            order by t.id) as rows from track t
          where t.album_id in (select b.id from album b where b.artist_id between 1 and 50) group by t.album_id
        ) t on t.album_id = b.id
      where b.artist_id between 1 and 50 group by b.artist_id) b on b.artist_id = a.id
    where a.id between 1 and 50 order by a.id) r)::text`,
  "string_agg of concatenated texts": `select ${listOf("x.r")} from (select ${object({
    name: orNull(quoted("a.name")),
    albums: `(select ${listOf("x.r")} from (select ${object({
      title: quoted("b.title"),
      tracks: `(select ${listOf("x.r")} from (select ${object({
        id: "t.id",
        name: quoted("t.name"),
        milliseconds: "t.milliseconds",
      })} as r from track t where t.album_id = b.id order by t.id) x)`,
    })} as r from album b where b.artist_id = a.id order by b.id) x)`,
  })} as r ${artists}) x`,
};

/** Objects in objects, under a list. */
const joined = `from playlist_track p left join track t on t.id = p.track_id left join album b on b.id = t.album_id
  left join artist a on a.id = b.artist_id left join media m on m.id = t.media_id
  where p.playlist_id = 5 order by p.track_id limit 500`;
const record = (columns: string): string => `(select row_to_json(o.*) from (select ${columns}) o)`;
const objects = {
  "json_agg of records with json_build_object": `select (select coalesce(json_agg(r.*), '[]') from (
    select case when t.id is not null then json_build_object('name', t.name, 'album', case when b.id is not null then
      json_build_object('title', b.title, 'artist', case when a.id is not null then json_build_object('name', a.name) end)
      end, 'media', case when m.id is not null then json_build_object('name', m.name) end) end as "track"
    ${joined}) r)::text`,
  "json_agg of records with row_to_json of records": `select (select coalesce(json_agg(r.*), '[]') from (
    select case when t.id is not null then ${record(`t.name as "name", case when b.id is not null then
      ${record(`b.title as "title", case when a.id is not null then ${record('a.name as "name"')} end as "artist"`)}
      end as "album", case when m.id is not null then ${record('m.name as "name"')} end as "media"`)} end as "track"
    ${joined}) r)::text`,
  "string_agg of concatenated texts": `select ${listOf("x.r")} from (select ${object({
    track: orNull(
      `case when t.id is not null then ${object({
        name: quoted("t.name"),
        album: orNull(
          `case when b.id is not null then ${object({
            title: quoted("b.title"),
            artist: orNull(`case when a.id is not null then ${object({ name: orNull(quoted("a.name")) })} end`),
          })} end`,
        ),
        media: orNull(`case when m.id is not null then ${object({ name: quoted("m.name") })} end`),
      })} end`,
    ),
  })} as r ${joined}) x`,
};

const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query(setup(Number(factor)));
const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "1,000 rows of numbers, dates and booleans": simple,
  "1,000 rows of numbers and a text": texts,
  "50 artists with albums with tracks": lists,
  "500 rows with objects in objects": objects,
};
for (const [title, forms] of Object.entries(cases)) {
  const statements = Object.values(forms);
  const answers = new Set<string>();
  for (const text of statements) {
    const { rows } = await client.query({ text, rowMode: "array" });
    answers.add(JSON.stringify(JSON.parse(String(rows[0]?.[0]))));
  }
  if (answers.size > 1) throw new Error(`the forms of ${title} return different results`);
  const times = statements.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, text] of statements.entries()) {
      const began = performance.now();
      await client.query({ name: `${title}_${i}`.slice(0, 60), text });
      times[i]?.push(performance.now() - began);
    }
  }
  console.log(`${title.padEnd(52)} minimum, ratio   median, ratio`);
  const figures = times.map((each) => {
    const sorted = each.sort((a, b) => a - b);
    return [0, rounds / 2].map((at) => (sorted[at] ?? 0) * 1000);
  });
  for (const [i, name] of Object.keys(forms).entries()) {
    const shown = (figures[i] ?? []).map((time, n) => {
      const ratio = time / (figures[0]?.[n] ?? 0);
      return `${time.toFixed(0).padStart(7)}  ${ratio.toFixed(2)}`;
    });
    console.log(`  ${name.padEnd(50)} ${shown.join("   ")}`);
  }
}
await client.query("drop schema json_forms cascade");
await client.end();
