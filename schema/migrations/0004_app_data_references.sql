CREATE INDEX CONCURRENTLY "orders_delete_unreferenced_app_data" ON "orders" USING btree ("app_data_hash");
