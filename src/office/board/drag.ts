import type { DragEvent } from 'react'

/** The types of what is dragged; browsers hide the data itself until it is dropped. */
const DRAGGED = { booking: 'text/x-kerbside-booking', driver: 'text/x-kerbside-driver' } as const

/** Returns the props of a row that can be dragged to a row of the other kind, whose id it gets. */
export const getDragProps = (
  own: keyof typeof DRAGGED,
  id: string,
  draggable: boolean,
  onDrop: (droppedId: string) => void,
) => {
  const other = DRAGGED[own === 'booking' ? 'driver' : 'booking']
  return {
    draggable,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(DRAGGED[own], id)
      event.dataTransfer.effectAllowed = 'link'
    },
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(other)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      const droppedId = event.dataTransfer.getData(other)
      if (droppedId) onDrop(droppedId)
    },
  }
}
