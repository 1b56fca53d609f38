import { expect, test } from 'vitest'
import { computeMigrationFaults } from './computeMigrationFaults.ts'

const path = 'schema/migrations/0099_test.sql'
const check = (...statements: string[]) =>
  computeMigrationFaults(path, statements.join('\n--> statement-breakpoint\n')).map((fault) =>
    fault.replace(`${path}: `, ''),
  )

test.each([
  ['create table a (id int primary key, b int references c (id))'],
  ['create table a (id int)', 'create index a_id on a (id)', 'alter table a add constraint k unique (id)'],
  ['create table a (id int)', 'insert into a select id from orders', "create type t as enum ('x')"],
  ['create unique index concurrently "a_i" on "a" using btree ("x") where x > 0'],
  ['drop index concurrently if exists a_i'],
  ['alter table a add column b int', "alter table a add column c text default 'x'::text not null"],
  ['alter table a add column c timestamptz default now(), add column d boolean default false not null'],
  ['alter table a add constraint k check (x > 0) not valid', 'alter table a validate constraint k'],
  ['alter table a add constraint k foreign key (x) references b (y) not valid'],
  ['create unique index concurrently a_i on a (x)', 'alter table a add constraint k unique using index a_i'],
  [
    'alter table a add constraint k check (x is not null) not valid',
    'alter table a validate constraint k',
    'alter table a alter column x set not null',
    'alter table a drop constraint k',
  ],
  ['alter table a alter column x set default 4', 'alter table a alter column x drop not null'],
  ["alter type t add value 'y' before 'x'"],
  ['-- reviewed: read by no Worker since the last release\ndrop table a'],
  ['alter table a\n-- reviewed: read by no Worker since the last release\ndrop column x'],
  ['-- reviewed: one row per network\nupdate a set x = 1'],
  ["create or replace function f() returns int language sql as 'select 1'"],
])('allows %s', (...statements) => {
  expect(check(...statements)).toEqual([])
})

test.each([
  ['create index a_i on a (x)', 'create index concurrently'],
  ['create index concurrently on a (x)', 'needs a name'],
  ['drop index a_i', 'drop index concurrently'],
  ['alter table a add column b uuid default gen_random_uuid()', 'may differ per row'],
  ['alter table a add column b int not null', 'not null needs a constant default'],
  ['alter table a add column b bigserial', 'identity'],
  ['alter table a add column b int generated always as identity', 'identity'],
  ['alter table a add column b int generated always as (x + 1) stored', 'generated'],
  ['alter table a add column b int references c (id)', 'constraint'],
  ['alter table a add column b int unique', 'constraint'],
  ['alter table a alter column x set not null', 'is not null) not valid'],
  ['alter table a alter column x type bigint', 'new type'],
  ['alter table a add constraint k check (x > 0)', 'not valid'],
  ['alter table a add constraint k foreign key (x) references b (y)', 'not valid'],
  ['alter table a add constraint k unique (x)', 'unique index concurrently'],
  ['alter table a add primary key (x)', 'unique index concurrently'],
  ['alter table a validate constraint k, drop constraint l', 'of its own'],
  ['alter table a set tablespace fast', 'not among the changes'],
  ['alter table a drop column x', 'unused by every Worker'],
  ['drop table a', 'unused by every Worker'],
  ['-- reviewed:\ndrop table a', 'unused by every Worker'],
  ['drop type t', 'unused by every Worker'],
  ['alter table a rename to b', 'renamed'],
  ['alter table a rename column x to y', 'renamed'],
  ["alter type t rename value 'x' to 'y'", 'renamed'],
  ['update a set x = 1', 'must be few'],
  ['delete from a', 'must be few'],
  ['insert into a select * from b', 'must be few'],
  ['truncate a', 'not among the statements'],
  ['lock table a', 'not among the statements'],
  ['cluster a', 'not among the statements'],
  ['do $$ begin end $$', 'not among the statements'],
  ['alter table a add column b int; alter table a add column c int', '2 statements'],
  ['alter tabel a', 'not SQL'],
])('refuses %s', (statement, reason) => {
  const faults = check(statement)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(reason)
})

test('refuses set not null when the check is of another column, of another table or not validated', () => {
  const setNotNull = 'alter table a alter column x set not null'
  for (const before of [
    ['alter table a add constraint k check (y is not null) not valid', 'alter table a validate constraint k'],
    ['alter table b add constraint k check (x is not null) not valid', 'alter table b validate constraint k'],
    ['alter table a add constraint k check (x is null) not valid', 'alter table a validate constraint k'],
    ['alter table a add constraint k check (x is not null) not valid'],
  ])
    expect(check(...before, setNotNull)).toHaveLength(1)
})

test('refuses to fill a new table in the transaction that has locked an old one', () => {
  const fill = ['create table a (id int)', 'insert into a select id from orders']
  expect(check('alter table orders add column b int', ...fill)).toEqual([expect.stringContaining('of their own')])
  expect(check('alter table orders add column b int', 'drop index concurrently i', ...fill)).toEqual([])
})
