-- reviewed: the queries that read by account are gone
DROP INDEX CONCURRENTLY IF EXISTS "settlement_failures_select_of_account";
--> statement-breakpoint
ALTER TABLE "settlement_attempts" ADD COLUMN "blame" jsonb;
--> statement-breakpoint
ALTER TABLE "settlement_failures" ADD COLUMN "faults" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- reviewed: only the auction clock writes it, and it retries until the deployment replaces it a minute later
ALTER TABLE "settlement_failures" DROP COLUMN "account";
