ALTER TABLE "carried_trades" ADD COLUMN "volume" numeric;
--> statement-breakpoint
ALTER TABLE "carried_trades" ADD COLUMN "protocol_fee" numeric;
--> statement-breakpoint
ALTER TABLE "auctions" ADD COLUMN "proven_prices" jsonb;
--> statement-breakpoint
ALTER TABLE "trade_values" ADD COLUMN "protocol_fee" numeric;
