"""Changes of a contract: the other side's, read and judged, and one's own, proposed and proved."""
