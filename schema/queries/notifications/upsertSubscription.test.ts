import { nonceOf } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSubscription } from '#test/helpers/database/newNotification.ts'
import { upsertSubscription } from './upsertSubscription.ts'

measureRows(
  upsertSubscription,
  (database, { busyOwner: account }) => {
    const subscription = newSubscription({ account }) as Parameters<typeof upsertSubscription>[2]
    return upsertSubscription(database, nonceOf(account), { ...subscription, pushKeys: null, confirmToken: null }, 20)
  },
  { acrossNetworks: true, reads: 200 },
)
