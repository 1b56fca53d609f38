CREATE INDEX IF NOT EXISTS "orders_select_unfilled_orders" ON "orders" USING btree ("chain_id",coalesce("user_valid_to", "valid_to")) WHERE "orders"."cancelled_at" is null and not "orders"."invalidated" and case "orders"."kind"
    when 'sell' then "orders"."executed_sell_amount" - "orders"."executed_fee_amount" < "orders"."sell_amount"
    else "orders"."executed_buy_amount" < "orders"."buy_amount" end;--> statement-breakpoint
DROP INDEX "orders_select_open_orders";
