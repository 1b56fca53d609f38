CREATE TABLE "carried_trades" (
	"chain_id" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"settled_at" timestamp with time zone NOT NULL,
	"trader" "bytea" NOT NULL,
	"transaction_hash" "bytea" NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"sell_token" "bytea" NOT NULL,
	"buy_token" "bytea" NOT NULL,
	"sell_amount" numeric(78, 0) NOT NULL,
	"buy_amount" numeric(78, 0) NOT NULL,
	"price" numeric,
	"referrer_code" text,
	"order_created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "carried_trades_chain_id_block_number_log_index_pk" PRIMARY KEY("chain_id","block_number","log_index")
);
--> statement-breakpoint
CREATE TABLE "trade_carries" (
	"chain_id" integer PRIMARY KEY NOT NULL,
	"block" bigint DEFAULT -1 NOT NULL,
	"undone" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "carried_trades_of_trader" ON "carried_trades" USING btree ("chain_id","trader","block_number","log_index");
