CREATE INDEX CONCURRENTLY "orders_newest_of_owner" ON "orders" USING btree ("chain_id","owner","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_newest" ON "orders" USING btree ("chain_id","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_newest_in_state" ON "orders" USING btree ("chain_id",(case when case "kind" when 'sell' then "executed_sell_amount" - "executed_fee_amount" >= "sell_amount"
    else "executed_buy_amount" >= "buy_amount" end then 'fulfilled'
    when "cancelled_at" is not null or "invalidated" then 'cancelled'
    when "signing_scheme" = 'presign' and not "presigned" then 'pending' else 'signed' end),"created_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_newest_selling" ON "orders" USING btree ("chain_id","sell_token","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_newest_buying" ON "orders" USING btree ("chain_id","buy_token","created_at" DESC NULLS LAST) WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_select_account_orders";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_select_network_orders";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_select_orders_in_state";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_select_orders_selling";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_select_orders_buying";
