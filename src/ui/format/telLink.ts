/**
 * Returns the tel: link for a phone number as typed; an extension (1234567 ext. 12) is dialed after
 * a pause.
 */
export const toTelLink = (phone: string): string => {
  const [number = '', extension] = phone.split(/[#x]/i).map((part) => part.replace(/[^\d+]/g, ''))
  return `tel:${number}${extension ? `,${extension}` : ''}`
}
