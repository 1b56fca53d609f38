import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectChatAccounts, unlinkChat } from './chatLinks.ts'

measureRows(selectChatAccounts, (database) => selectChatAccounts(database, '1'))
measureRows(unlinkChat, (database, h) => unlinkChat(database, `chat ${h.newestUnconfirmed}`))
