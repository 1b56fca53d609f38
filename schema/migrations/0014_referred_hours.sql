CREATE TABLE "referred_hours" (
	"trader" "bytea" NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"chain_id" integer NOT NULL,
	"code" text NOT NULL,
	"is_registered" boolean NOT NULL,
	"first_settled_at" timestamp with time zone NOT NULL,
	"first_block" bigint NOT NULL,
	"first_log_index" integer NOT NULL,
	"last_block" bigint NOT NULL,
	"value" numeric,
	"trades" integer,
	"valued_trades" integer,
	CONSTRAINT "referred_hours_trader_hour_chain_id_code_is_registered_pk" PRIMARY KEY("trader","hour","chain_id","code","is_registered")
);
--> statement-breakpoint
CREATE INDEX "referred_hours_of_code" ON "referred_hours" USING btree ("code","trader") WHERE "referred_hours"."is_registered";
--> statement-breakpoint
CREATE INDEX "referred_hours_delete_from_block" ON "referred_hours" USING btree ("chain_id","last_block");
--> statement-breakpoint
CREATE INDEX "referred_hours_sum" ON "referred_hours" USING btree ("chain_id","hour") WHERE "referred_hours"."value" is null;
--> statement-breakpoint
INSERT INTO "referred_hours" ("trader", "hour", "chain_id", "code", "is_registered", "first_settled_at", "first_block", "first_log_index", "last_block")
SELECT v.trader, date_bin(interval '1 hour', v.settled_at, timestamptz '2000-01-01 00:00:00Z'), v.chain_id, o.referrer_code, a.code IS NOT NULL, min(v.settled_at),
	min(v.block_number), (array_agg(v.log_index ORDER BY v.block_number, v.log_index))[1], max(v.block_number)
FROM orders o
JOIN trades t ON t.chain_id = o.chain_id AND t.order_uid = o.uid
JOIN trade_values v ON v.chain_id = t.chain_id AND v.block_number = t.block_number AND v.log_index = t.log_index
LEFT JOIN affiliates a ON a.code = o.referrer_code AND a.created_at <= o.created_at
WHERE o.referrer_code IS NOT NULL AND o.executed_sell_amount > 0
GROUP BY 1, 2, 3, 4, 5;
