ALTER TABLE "auctions" ADD COLUMN "losing_orders" bigint[];
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "auctions_select_lost_with_order" ON "auctions" USING gin ("losing_orders") WITH (fastupdate=false) WHERE "auctions"."archive_key" is not null;
