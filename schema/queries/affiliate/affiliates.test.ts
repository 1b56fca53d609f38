import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newAffiliate } from '#test/helpers/database/referredTrade.ts'
import { insertAffiliate, selectAffiliate, selectAffiliateByCode } from './affiliates.ts'

measureRows(selectAffiliate, (database, h) => selectAffiliate(database, h.busyOwner))
measureRows(selectAffiliateByCode, (database) => selectAffiliateByCode(database, 'CODE'))
measureRows(insertAffiliate, (database) => insertAffiliate(database, newAffiliate('OTHER')))
