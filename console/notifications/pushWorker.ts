/** The service worker that shows push messages; it serves no requests. */

type PushEvent = Event & { data: { json: () => PushMessage } | null; waitUntil: (work: Promise<unknown>) => void }
type PushMessage = { title: string; body: string; url: string; tag: string }
type ClickEvent = Event & {
  notification: Notification & { data: { url: string } }
  waitUntil: (work: Promise<unknown>) => void
}
type PushScope = {
  addEventListener: ((type: 'push', listen: (event: PushEvent) => void) => void) &
    ((type: 'notificationclick', listen: (event: ClickEvent) => void) => void)
  registration: ServiceWorkerRegistration
  clients: { openWindow: (url: string) => Promise<unknown> }
}

const worker = self as unknown as PushScope

worker.addEventListener('push', (event) => {
  const message = event.data?.json()
  if (!message) return
  const { title, body, url, tag } = message
  event.waitUntil(worker.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { url } }))
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(worker.clients.openWindow(event.notification.data.url))
})

// a module, so that its names do not mix with those of the page
export {}
