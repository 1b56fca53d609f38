export const dataStatements = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'SelectStmt'])
