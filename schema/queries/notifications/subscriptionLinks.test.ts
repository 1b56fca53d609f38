import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { linkChat, unsubscribe } from './subscriptionLinks.ts'

measureRows(linkChat, (database, h) => linkChat(database, `confirm ${h.newestUnconfirmed}`, 'another chat'))
measureRows(unsubscribe, (database) => unsubscribe(database, 'unsubscribe 9'))
