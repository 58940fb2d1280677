export const BookingsPage = () => <p>BookingsPage</p>
