/** Of Chrome and what is made of it, Firefox, Edge and Safari; one that begins with a dot is all hosts below. */
const services = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
]

/**
 * Whether a host is the push service of a browser. Nobody can ask an endpoint whether it wants to be told, as a webhook is asked:
 * any other host would be one that a stranger has us write to.
 * @param hostname in lower case
 */
export const isPushService = (hostname: string): boolean =>
  services.some((service) => (service.startsWith('.') ? hostname.endsWith(service) : hostname === service))
