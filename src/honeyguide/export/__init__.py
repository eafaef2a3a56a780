"""What a crawl brought, for other programs: tables, texts, archives, graphs and seeds."""
