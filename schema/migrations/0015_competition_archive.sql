ALTER TABLE "auctions" ADD COLUMN "archive_key" text;
--> statement-breakpoint
ALTER TABLE "auctions" ADD COLUMN "solution_count" integer;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "auctions_select_archivable" ON "auctions" USING btree ("chain_id","id") WHERE "auctions"."archive_key" is null;
