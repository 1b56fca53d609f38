ALTER TABLE "quotes" ADD COLUMN "offered_sell_amount" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "quotes" ADD COLUMN "offered_buy_amount" numeric(78, 0);