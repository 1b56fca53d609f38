import { expect, test } from 'vitest'
import { splitMigration } from './splitMigration.ts'

test('joins what runs in one transaction and separates what must not', () => {
  const statements = [
    'create table a (id int);',
    'alter table a add constraint positive check (id > 0) not valid;',
    '-- why\nALTER TABLE "a"\n  VALIDATE CONSTRAINT "positive";',
    'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "a_once" ON "a" USING btree ("id");',
    'create index concurrently a_again on a (id)',
    'drop index concurrently if exists public."a_old"',
    'create index a_plain on a (id)',
    'drop index a_plain',
  ]
  expect(splitMigration(statements)).toEqual([
    { kind: 'together', statements: statements.slice(0, 2) },
    { kind: 'alone', statement: statements[2] },
    { kind: 'createIndex', index: 'a_once', statement: statements[3] },
    { kind: 'createIndex', index: 'a_again', statement: statements[4] },
    { kind: 'dropIndex', index: 'a_old', statement: statements[5] },
    { kind: 'together', statements: statements.slice(6) },
  ])
  expect(splitMigration([])).toEqual([])
})
