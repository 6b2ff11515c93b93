restore();
