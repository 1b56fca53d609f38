DROP INDEX "orders_select_account_orders";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "submitted_by" "bytea";--> statement-breakpoint
CREATE INDEX "orders_select_unsigned_orders" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST,"uid") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;--> statement-breakpoint
CREATE INDEX "orders_count_unsigned_of_client" ON "orders" USING btree ("chain_id","submitted_by","valid_to") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;--> statement-breakpoint
CREATE INDEX "orders_count_unsigned" ON "orders" USING btree ("chain_id","valid_to") WHERE "orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null;--> statement-breakpoint
CREATE INDEX "orders_count_open_orders" ON "orders" USING btree ("chain_id","owner","valid_to","class") WHERE ("orders"."signing_scheme" <> 'presign' or "orders"."presigned") and "orders"."onchain_user" is null and "orders"."jit_block" is null
    and "orders"."cancelled_at" is null and not "orders"."invalidated" and case "orders"."kind"
    when 'sell' then "orders"."executed_sell_amount" - "orders"."executed_fee_amount" < "orders"."sell_amount"
    else "orders"."executed_buy_amount" < "orders"."buy_amount" end;--> statement-breakpoint
CREATE INDEX "orders_select_account_orders" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST,"uid") WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);