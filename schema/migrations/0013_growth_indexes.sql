CREATE INDEX CONCURRENTLY "auction_entries_select_members" ON "auction_entries" USING gist (int8range("entered_auction_id", greatest("entered_auction_id", coalesce("left_auction_id", 9223372036854775807))));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deliveries_delete_old" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."state" <> 'pending';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_of_target" ON "subscriptions" USING btree ("target","channel");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "account_surplus_delete_from_block" ON "account_surplus" USING btree ("chain_id","through_block");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "auction_entries_select_auction_orders";
