import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { checkDatabase } from './checkDatabase.ts'

measureRows(checkDatabase, (database) => checkDatabase(database))
