import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import type { NetworkName } from '../networks/NetworksProvider.tsx'
import { findPendingPermit, type Subject } from './findPendingPermit.ts'

/** More than the open orders of an account that trades here. */
const maxOrders = 100

/** The same among the newest orders of the owner. @throws ApiFailure */
export const loadPendingPermit = async (network: NetworkName, subject: Subject): Promise<string | null> => {
  const path = { network, owner: subject.owner }
  const query = { limit: maxOrders }
  return findPendingPermit(
    await read(client.GET('/{network}/api/v1/account/{owner}/orders', { params: { path, query } })),
    subject,
  )
}
