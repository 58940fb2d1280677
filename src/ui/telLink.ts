/** The link that calls a number as people type it; an extension (1234567 ext. 12) is dialled after a pause. */
export const telLink = (phone: string): string => {
  const [number = '', extension] = phone.split(/[#x]/i).map((part) => part.replace(/[^\d+]/g, ''))
  return `tel:${number}${extension ? `,${extension}` : ''}`
}
