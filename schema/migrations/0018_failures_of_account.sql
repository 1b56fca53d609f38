ALTER TABLE "settlement_failures" ADD COLUMN "account" "bytea";
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "settlement_failures_select_of_account" ON "settlement_failures" USING btree ("chain_id","account");
