import { nonceOf } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSubscription } from '#test/helpers/database/newNotification.ts'
import { upsertSubscription } from './upsertSubscription.ts'

measureRows(
  upsertSubscription,
  async (database, { busyOwner: account }) => {
    const subscription = newSubscription({ account }) as Parameters<typeof upsertSubscription>[2]
    const terms = { ...subscription, pushKeys: null, confirmToken: null }
    const { refusal } = await upsertSubscription(database, nonceOf(account), terms, 20)
    // the new id is random
    return { refusal }
  },
  { reads: 200 },
)
