CREATE INDEX CONCURRENTLY "settlement_attempts_select_debts" ON "settlement_attempts" USING btree ("chain_id","solver") WHERE "settlement_attempts"."outcome" = 'mismatch';
