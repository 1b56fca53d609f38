import { expect, test } from 'vitest'
import { computeMigrationFaults } from '../lint/migrations/computeMigrationFaults.ts'
import { makeOnline } from './makeOnline.ts'

const generated = `CREATE TABLE "fresh" (
	"id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_old";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "fresh" ADD CONSTRAINT "fresh_fk" FOREIGN KEY ("id") REFERENCES "public"."orders"("id") ON DELETE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_fk" FOREIGN KEY ("id") REFERENCES "public"."fresh"("id") ON DELETE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "positive" CHECK ("orders"."id" > 0);--> statement-breakpoint
CREATE UNIQUE INDEX "orders_note" ON "orders" USING btree ("note");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_id" ON "orders" USING btree ("id");--> statement-breakpoint
CREATE INDEX "fresh_id" ON "fresh" USING btree ("id");`

test('rewrites what drizzle-kit generates into what the rules allow', () => {
  const online = makeOnline(generated)
  expect(online.split('\n--> statement-breakpoint\n').slice(1)).toEqual([
    'DROP INDEX CONCURRENTLY IF EXISTS "orders_old";',
    'ALTER TABLE "orders" ADD COLUMN "note" text;',
    'ALTER TABLE "fresh" ADD CONSTRAINT "fresh_fk" FOREIGN KEY ("id") REFERENCES "public"."orders"("id") ON DELETE no action;',
    'ALTER TABLE "orders" ADD CONSTRAINT "orders_fk" FOREIGN KEY ("id") REFERENCES "public"."fresh"("id") ON DELETE no action NOT VALID;',
    'ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_fk";',
    'ALTER TABLE "orders" ADD CONSTRAINT "positive" CHECK ("orders"."id" > 0) NOT VALID;',
    'ALTER TABLE "orders" VALIDATE CONSTRAINT "positive";',
    'CREATE UNIQUE INDEX CONCURRENTLY "orders_note" ON "orders" USING btree ("note");',
    'CREATE INDEX CONCURRENTLY "orders_id" ON "orders" USING btree ("id");',
    'CREATE INDEX "fresh_id" ON "fresh" USING btree ("id");\n',
  ])
  const path = 'schema/migrations/0099_test.sql'
  expect(computeMigrationFaults(path, generated)).toHaveLength(4)
  expect(computeMigrationFaults(path, online)).toEqual([])
  expect(makeOnline(online)).toBe(online)
})
