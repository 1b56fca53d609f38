import { OpenAPIHono } from '@hono/zod-openapi'
import { routes } from '#shared/api/routes.ts'
import { networkNames } from '#shared/networks.ts'
import { messageSchemas } from './socketMessages.ts'

const description = `Connect to \`${routes.getSocket.path}\` and send \`subscribe\` messages, each with an \`id\` of its own. Every message is JSON text.

- The first message of a subscription is \`subscribed\`, with a snapshot that replaces what the client knew. \`events\` messages follow: each event once, in the order of the log, with the \`ids\` of its subscriptions.
- \`seq\` is a position in the log. After a disconnect subscribe again with the last \`seq\` of the subscription, or of a later server \`ping\`, as \`resume\`: missed events follow without a gap. If they are too many, \`subscribed\` has a new snapshot.
- Respond to every \`ping\` with a \`pong\` of the same \`id\`. A client may send \`ping\` itself.
- An \`error\` has the fields of an HTTP error and leaves the connection open. It is closed with code 1008 for too many messages or a missing pong, 1009 for a message that is too long, 1013 when the client reads too slowly, 1012 or 1006 with a new release: reconnect and resume.
- Limits: 50 subscriptions per connection, 4,096 characters per message, 100 messages at once and 10 per second. Each \`subscribe\` and \`unsubscribe\` counts as a read of the client, over all its connections: beyond its quota it is refused with \`RateLimited\`, and may be sent again after \`data.seconds\`.`

const channelReference = { $ref: '#/channels/events' }

/** The AsyncAPI 3.0 document of the WebSocket, generated from the schemas of its messages. */
export const buildAsyncApi = () => {
  const app = new OpenAPIHono()
  const { client, server } = messageSchemas
  for (const [name, schema] of Object.entries({ ...client, ...server })) app.openAPIRegistry.register(name, schema)
  const { components } = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } })
  const schemas = components?.schemas ?? {}
  const toMessage = (name: string) => {
    const text = schemas[name]?.description
    return { name, ...(text ? { summary: text } : {}), payload: { $ref: `#/components/schemas/${name}` } }
  }
  const names = [...Object.keys(client), ...Object.keys(server)]
  const refer = (listed: readonly string[]) => listed.map((name) => ({ $ref: `#/channels/events/messages/${name}` }))
  return {
    asyncapi: '3.0.0',
    info: { title: 'edgebook WebSocket', version: '', description, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    channels: {
      events: {
        address: routes.getSocket.path,
        title: 'Events of orders, prices and balances',
        parameters: { network: { description: 'name of a network', enum: networkNames } },
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
        bindings: { ws: { method: 'GET', bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      receiveMessages: { action: 'receive', channel: channelReference, messages: refer(Object.keys(client)) },
      sendMessages: { action: 'send', channel: channelReference, messages: refer(Object.keys(server)) },
    },
    components: { messages: Object.fromEntries(names.map((name) => [name, toMessage(name)])), schemas },
  }
}
