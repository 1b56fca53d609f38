import { connectDatabase } from '#schema/client.ts'
import { checkDatabase } from '#schema/queries/status/checkDatabase.ts'
import { createWorker } from '#shared/http/createWorker.ts'
import type { OpenStream } from './answerWithStream.ts'
import { getAccountEvents } from './getAccountEvents.ts'
import { getOrderEvents } from './getOrderEvents.ts'
import { openOrderStream } from './openOrderStream.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { getOwnAsyncApi } from './sockets/getOwnAsyncApi.ts'
import { getSocket } from './sockets/getSocket.ts'
import { openSocket } from './sockets/openSocket.ts'

export default createWorker({
  settings: settingsSchema,
  routes: (settings: Settings) => {
    const database = connectDatabase(settings.DATABASE_URL)
    const openStream: OpenStream = (request) => openOrderStream(settings, request)
    return [
      getOrderEvents({ database, chainId: settings.NETWORK.chainId, openStream, now: Date.now }),
      getAccountEvents({ openStream }),
      getSocket({ openSocket: (client, quota) => openSocket(settings, client, quota) }),
      getOwnAsyncApi(),
    ]
  },
  probes: ({ DATABASE_URL }) => ({ database: () => checkDatabase(connectDatabase(DATABASE_URL)) }),
})
