CREATE TABLE "account_surplus" (
	"chain_id" integer NOT NULL,
	"account" "bytea" NOT NULL,
	"through_block" bigint NOT NULL,
	"total" numeric NOT NULL,
	CONSTRAINT "account_surplus_chain_id_account_pk" PRIMARY KEY("chain_id","account")
);
--> statement-breakpoint
INSERT INTO "account_surplus" ("chain_id", "account", "through_block", "total")
SELECT t.chain_id, a.account, max(t.block_number), coalesce(sum(CASE WHEN e.order_uid IS NOT NULL THEN
	CASE o.kind
		WHEN 'sell' THEN t.buy_amount - div((t.sell_amount - t.fee_amount) * o.buy_amount + o.sell_amount - 1, nullif(o.sell_amount, 0))
		ELSE div(o.sell_amount * t.buy_amount, nullif(o.buy_amount, 0)) - (t.sell_amount - t.fee_amount)
	END * (p.prices ->> ('0x' || encode(CASE o.kind WHEN 'sell' THEN o.buy_token ELSE o.sell_token END, 'hex')))::numeric
END), 0)
FROM trades t
JOIN (SELECT chain_id, max(number) - 64 AS number FROM blocks GROUP BY chain_id) AS last ON last.chain_id = t.chain_id AND t.block_number <= last.number
LEFT JOIN trade_values v ON v.chain_id = t.chain_id AND v.block_number = t.block_number AND v.log_index = t.log_index
CROSS JOIN LATERAL (SELECT t.owner AS account UNION SELECT v.trader WHERE v.trader IS NOT NULL) AS a
LEFT JOIN orders o ON o.chain_id = t.chain_id AND o.uid = t.order_uid
LEFT JOIN settlements s ON s.chain_id = t.chain_id AND s.block_number = t.block_number AND s.log_index = t.settlement_log_index
LEFT JOIN executions e ON e.chain_id = t.chain_id AND e.auction_id = s.auction_id AND e.order_uid = t.order_uid
LEFT JOIN auctions p ON p.chain_id = t.chain_id AND p.id = s.auction_id
GROUP BY t.chain_id, a.account;
