ALTER TABLE "orders" ADD COLUMN "quote_not_found" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "available_balance" numeric(78, 0);