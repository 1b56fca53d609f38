ALTER TABLE "order_events" ADD COLUMN "archive_part" "bytea";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "order_events_select_archivable" ON "order_events" USING btree ("chain_id","created_at","id") WHERE "order_events"."label" = 'created' and "order_events"."archive_part" is null;
