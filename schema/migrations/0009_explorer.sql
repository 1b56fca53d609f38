CREATE TABLE "trade_values" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"trader" "bytea" NOT NULL,
	"solver" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"volume" numeric,
	"surplus" numeric,
	CONSTRAINT "trade_values_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
ALTER TABLE "auctions" ADD COLUMN "order_count" integer;--> statement-breakpoint
CREATE INDEX "trade_values_of_trader" ON "trade_values" USING btree ("chain_id","trader","block_number","log_index");--> statement-breakpoint
CREATE INDEX "trade_values_of_sell_token" ON "trade_values" USING btree ("chain_id","sell_token","block_number","log_index");--> statement-breakpoint
CREATE INDEX "trade_values_of_buy_token" ON "trade_values" USING btree ("chain_id","buy_token","block_number","log_index");--> statement-breakpoint
CREATE INDEX "trade_values_select_candles" ON "trade_values" USING btree ("chain_id","sell_token","buy_token","block_number","log_index","settled_at","sell_amount","buy_amount");--> statement-breakpoint
CREATE INDEX "trade_values_select_statistics" ON "trade_values" USING btree ("chain_id","settled_at","trader","solver","volume","surplus");--> statement-breakpoint
CREATE INDEX "orders_select_network_orders" ON "orders" USING btree ("chain_id","created_at" DESC NULLS LAST,"uid") WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);--> statement-breakpoint
CREATE INDEX "orders_select_orders_in_state" ON "orders" USING btree ("chain_id",(case when case "kind" when 'sell' then "executed_sell_amount" - "executed_fee_amount" >= "sell_amount"
    else "executed_buy_amount" >= "buy_amount" end then 'fulfilled'
    when "cancelled_at" is not null or "invalidated" then 'cancelled'
    when "signing_scheme" = 'presign' and not "presigned" then 'pending' else 'signed' end),"created_at" DESC NULLS LAST,"uid");--> statement-breakpoint
CREATE INDEX "orders_select_orders_selling" ON "orders" USING btree ("chain_id","sell_token","created_at" DESC NULLS LAST,"uid") WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);--> statement-breakpoint
CREATE INDEX "orders_select_orders_buying" ON "orders" USING btree ("chain_id","buy_token","created_at" DESC NULLS LAST,"uid") WHERE not ("orders"."signing_scheme" = 'presign' and not "orders"."presigned" and "orders"."onchain_user" is null and "orders"."jit_block" is null);--> statement-breakpoint
CREATE INDEX "solutions_select_solver_statistics" ON "solutions" USING btree ("chain_id","auction_id","solver","is_winner");--> statement-breakpoint
INSERT INTO "trade_values" ("chain_id", "block_number", "log_index", "settled_at", "trader", "solver", "sell_token", "buy_token", "sell_amount", "buy_amount", "volume", "surplus")
SELECT t.chain_id, t.block_number, t.log_index, s.settled_at, coalesce(o.onchain_user, t.owner), s.solver, t.sell_token, t.buy_token, t.sell_amount, t.buy_amount,
	div(t.sell_amount * (a.prices ->> ('0x' || encode(t.sell_token, 'hex')))::numeric, 1000000000000000000),
	div(CASE o.kind
		WHEN 'sell' THEN t.buy_amount - div((t.sell_amount - t.fee_amount) * o.buy_amount + o.sell_amount - 1, nullif(o.sell_amount, 0))
		ELSE div(o.sell_amount * t.buy_amount, nullif(o.buy_amount, 0)) - (t.sell_amount - t.fee_amount)
	END * (a.prices ->> ('0x' || encode(CASE o.kind WHEN 'sell' THEN o.buy_token ELSE o.sell_token END, 'hex')))::numeric, 1000000000000000000)
FROM trades t
JOIN orders o ON o.chain_id = t.chain_id AND o.uid = t.order_uid
JOIN settlements s ON s.chain_id = t.chain_id AND s.block_number = t.block_number AND s.log_index = t.settlement_log_index
LEFT JOIN auctions a ON a.chain_id = t.chain_id AND a.id = s.auction_id;
