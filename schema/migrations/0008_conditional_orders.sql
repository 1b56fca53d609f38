CREATE TABLE "conditional_orders" (
	"chain_id" integer NOT NULL,
	"owner" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"handler" "bytea" NOT NULL,
	"salt" "bytea" NOT NULL,
	"static_input" "bytea" NOT NULL,
	"proof" jsonb NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"transaction_hash" "bytea",
	"state" text DEFAULT 'open' NOT NULL,
	"next_block" bigint DEFAULT 0 NOT NULL,
	"next_time" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"unfilled" integer DEFAULT 0 NOT NULL,
	"judged_block" bigint,
	"verdict" jsonb,
	"part_uid" "bytea",
	CONSTRAINT "conditional_orders_chain_id_owner_hash_pk" PRIMARY KEY("chain_id","owner","hash")
);
--> statement-breakpoint
CREATE TABLE "conditional_parts" (
	"chain_id" integer NOT NULL,
	"order_uid" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	"placed_block" bigint NOT NULL,
	CONSTRAINT "conditional_parts_chain_id_order_uid_pk" PRIMARY KEY("chain_id","order_uid")
);
--> statement-breakpoint
CREATE INDEX "conditional_orders_select_due" ON "conditional_orders" USING btree ("chain_id","next_time") WHERE "conditional_orders"."state" = 'open';
--> statement-breakpoint
CREATE INDEX "conditional_orders_newest" ON "conditional_orders" USING btree ("chain_id","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "conditional_orders_newest_of_owner" ON "conditional_orders" USING btree ("chain_id","owner","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "conditional_orders_of_part" ON "conditional_orders" USING btree ("chain_id","part_uid") WHERE "conditional_orders"."part_uid" is not null;
--> statement-breakpoint
CREATE INDEX "conditional_parts_of_order" ON "conditional_parts" USING btree ("chain_id","owner","hash","placed_block");
