import { client } from '../../api/client.ts'
import { read } from '../../api/read.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { appDataDocument } from '../quote/appData.ts'
import { appDataHash } from './buildOrder.ts'

/** Stores the app data of orders without hooks: a transaction names the document only by its hash. @throws ApiFailure */
export const uploadAppData = (network: Network) =>
  read(
    client.PUT('/{network}/api/v1/app_data/{hash}', {
      params: { path: { network: network.name, hash: appDataHash } },
      body: { fullAppData: appDataDocument },
    }),
  )
